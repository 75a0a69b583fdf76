import type { Connection, LearnedCluster } from '@pulse/domain'
import { isDeepStrictEqual } from 'node:util'

/** Whether host, certificate check and account are the same, so that monitoring can continue. */
export function asksTheSame(a: Connection, b: Connection): boolean {
  const question = ({ host, fingerprint, verifySSL, auth }: Connection) => ({
    host,
    fingerprint,
    verifySSL,
    auth,
  })
  const secretOf = ({ auth }: Connection) => (auth.type === 'password' ? auth.password : auth.secret).reveal()
  // Only this comparison reveals secrets.
  return isDeepStrictEqual(question(a), question(b)) && secretOf(a) === secretOf(b)
}

export const isSameConnection = (a: Connection, b: Connection): boolean =>
  asksTheSame(a, b) && isDeepStrictEqual(a, b)

/** Whether the stored part of the cluster data is the same. Which members are online is not stored. */
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
