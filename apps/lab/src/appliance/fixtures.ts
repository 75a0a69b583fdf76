import type { ApiToken } from '../access/accounts.ts'
import type { Answer, AskOptions } from '../fixtures-asking.ts'
import { aLab } from '../fixtures.ts'
import type { LabOptions } from '../options.ts'

export const pbsToken = ({ tokenId, tokenSecret }: ApiToken) => ({
  authorization: `PBSAPIToken=${tokenId}:${tokenSecret}`,
})

/** A backup server; by default the caller is its main token. */
export async function aBackupServer(options: LabOptions = {}) {
  const { lab, asker } = await aLab({ pbs: 1, ...options })
  const { url, credentials } = lab.pbs[0]!
  const askAs = (token: ApiToken, path: string, given?: AskOptions) =>
    asker.ask(url, path, { headers: pbsToken(token), ...given })
  const ask = (path: string) => askAs(credentials, path)
  const list = async (path: string) => listIn(await ask(path))
  return { lab, asker, credentials, ask, askAs, list }
}

/** Mail gateways; by default the caller is the auditor of the first gateway. */
export async function aMailGateway(options: LabOptions = {}) {
  const { lab, asker } = await aLab({ nodes: 1, guests: 0, pmg: 1, ...options })
  const signInAt = async (index: number, login: { user: string; password: string }) => {
    const form = { username: login.user, password: login.password }
    const answer = await asker.ask(lab.pmg[index]!.url, '/access/ticket', { headers: {}, form })
    const { ticket } = answer.data as { ticket: string }
    return { cookie: `PMGAuthCookie=${encodeURIComponent(ticket)}` }
  }
  const askAt = async (index: number, path: string) => {
    const { url, credentials } = lab.pmg[index]!
    return asker.ask(url, path, { headers: await signInAt(index, credentials.auditor) })
  }
  const { url, credentials } = lab.pmg[0]!
  const headers = await signInAt(0, credentials.auditor)
  const ask = (path: string, given?: AskOptions) => asker.ask(url, path, { headers, ...given })
  const list = async (path: string) => listIn(await ask(path))
  return {
    lab,
    credentials,
    signedIn: (login: typeof credentials.auditor) => signInAt(0, login),
    ask,
    askAt,
    list,
  }
}

export type Item = Record<string, unknown>

export const listIn = ({ data }: Answer): Item[] => data as Item[]
