import type { Call } from './server.ts'

interface Machine {
  url: string
  fingerprint: string
}

interface Token {
  tokenId: string
  tokenSecret: string
}

/** The estate of a lab. */
interface Estate {
  credentials: Token
  clusters: { nodes: Machine[] }[]
  pbs: (Machine & { credentials: Token })[]
  pmg: (Machine & { credentials: { user: string; password: string } })[]
}

/** Adds all clusters and appliances of the lab. */
export async function addSources(call: Call, lab: Estate): Promise<void> {
  const of = ({ url, fingerprint }: Machine, type: string, sign: object) =>
    call('POST', '/api/config/nodes', { type, name: url, host: url, fingerprint, ...sign })
  const tokenOf = ({ tokenId, tokenSecret }: Token) => ({
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
