import type { Connection, LearnedCluster } from '@pulse/domain'
import { isDeepStrictEqual } from 'node:util'

/** The same host, checked in the same way, by the same account: monitoring need not begin again. */
export function asksTheSame(a: Connection, b: Connection): boolean {
  const question = ({ host, fingerprint, verifySSL, auth }: Connection) => ({
    host,
    fingerprint,
    verifySSL,
    auth,
  })
  const secretOf = ({ auth }: Connection) => (auth.type === 'password' ? auth.password : auth.secret).reveal()
  // Secrets hide from every comparison but this.
  return isDeepStrictEqual(question(a), question(b)) && secretOf(a) === secretOf(b)
}

export const isSameConnection = (a: Connection, b: Connection): boolean =>
  asksTheSame(a, b) && isDeepStrictEqual(a, b)

/** Whether what is worth keeping of a cluster is the same: who of its members is there at the moment is not. */
export const isSameCluster = (a: Partial<LearnedCluster>, b: Partial<LearnedCluster>): boolean =>
  isDeepStrictEqual(lasting(a), lasting(b))

const lasting = ({
  clusterName,
  clusterEndpoints = [],
  memberFingerprints = {},
}: Partial<LearnedCluster>) => ({
  clusterName,
  memberFingerprints,
  clusterEndpoints: clusterEndpoints.map(({ NodeID, NodeName, Host, IP }) => [NodeID, NodeName, Host, IP]),
})
