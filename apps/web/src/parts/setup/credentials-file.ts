import { toApiError } from '../../api/request.ts'

export interface NewCredentials {
  username: string
  password: string
  apiToken: string
}

/**
 * For example `pulse-credentials-2026-11-21T15-30-00.txt`, in UTC. Some systems do not allow colons in file
 * names.
 */
export const credentialsFileName = (at: Date) =>
  `pulse-credentials-${at.toISOString().slice(0, 19).replaceAll(':', '-')}.txt`

export const credentialsText = ({ username, password, apiToken }: NewCredentials, site: string, at: Date) =>
  `Pulse credentials

Address:   ${site}
Username:  ${username}
Password:  ${password}
API token: ${apiToken}

Created ${at.toISOString()}. Keep this file in a safe place, or move it into a password manager and delete it.
`

/** For replies that are files, or with headers that matter. */
export async function readText(answer: Response): Promise<string> {
  const text = await answer.text()
  if (!answer.ok) throw toApiError(answer.status, text)
  return text
}
