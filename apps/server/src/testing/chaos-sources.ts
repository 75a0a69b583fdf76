import type { Lab } from '@pulse/lab'
import type { Call } from './server.ts'

/** Adds all clusters and appliances of the lab. */
export async function addSources(call: Call, lab: Lab): Promise<void> {
  const of = ({ url, fingerprint }: { url: string; fingerprint: string }, type: string, sign: object) =>
    call('POST', '/api/config/nodes', { type, name: url, host: url, fingerprint, ...sign })
  const tokenOf = ({ tokenId, tokenSecret }: { tokenId: string; tokenSecret: string }) => ({
    tokenName: tokenId,
    tokenValue: tokenSecret,
  })
  for (const { nodes } of lab.clusters) await added(of(nodes[0]!, 'pve', tokenOf(lab.credentials)))
  for (const one of lab.pbs) await added(of(one, 'pbs', tokenOf(one.credentials)))
  for (const one of lab.pmg) {
    const { user, password } = one.credentials
    await added(of(one, 'pmg', { user, password }))
  }
}

async function added(answer: ReturnType<Call>) {
  const { status, text } = await answer
  if (status !== 201) throw new Error(`a source cannot be added: ${text}`)
}
