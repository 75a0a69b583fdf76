import {
  deleteDockerHost,
  type DockerCommand,
  type DockerHostReply,
  postDockerAllowReenroll,
  putDockerHostPendingUninstall,
  putDockerHostUnhide,
} from '@pulse/contract'
import type { Api } from '../../../api/client.ts'
import { saidIn } from '../../../api/error-text.ts'
import { reasonOf } from '../../../api/reason.ts'
import { ApiError } from '../../../api/request.ts'

/** `stop` asks the agent to stop, and removes an offline host; `force` removes the host immediately. */
export type RemovalMode = 'stop' | 'hide' | 'force'

export interface RemovalOutcome {
  /** the server no longer had the host */
  gone: boolean
  /** the queued stop command */
  command: DockerCommand | undefined
}

export async function removeHost(api: Api, id: string, mode: RemovalMode): Promise<RemovalOutcome> {
  const query = mode === 'stop' ? '' : `?${mode}=true`
  const answer = await api.send(pathOf(deleteDockerHost, id) + query, { method: 'DELETE' })
  // another user or the agent itself has already removed it
  if (answer.status === 404) return { gone: true, command: undefined }
  return { gone: false, command: parsed(await textOf(answer))?.command }
}

/** Parses the body; undefined if it is not JSON. */
function parsed(text: string): DockerHostReply | undefined {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text) as DockerHostReply
  } catch {
    throw new Error('Failed to parse delete docker host response')
  }
}

export const unhideHost = (api: Api, id: string) => change(api, putDockerHostUnhide, id)
export const markForUninstall = (api: Api, id: string) => change(api, putDockerHostPendingUninstall, id)
export const allowAgain = (api: Api, id: string) => change(api, postDockerAllowReenroll, id)

async function change(api: Api, endpoint: HostEndpoint, id: string): Promise<void> {
  await textOf(await api.send(pathOf(endpoint, id), { method: endpoint.method }))
}

interface HostEndpoint {
  method: string
  path: string
}

const pathOf = ({ path }: HostEndpoint, id: string) => path.replace(':id', () => encodeURIComponent(id))

async function textOf(answer: Response): Promise<string> {
  const text = await answer.text()
  if (answer.ok) return text
  throw new ApiError(saidIn(text) ?? `Failed with status ${answer.status}`, answer.status)
}

/** Milliseconds a toast about a host stays. */
export const toastMs = { done: 3_500, failed: 8_000 } as const

/** What failed, and why if known. */
export function failureText(what: string, error: Error): string {
  const reason = reasonOf(error)
  return reason ? `${what}: ${reason}` : what
}
