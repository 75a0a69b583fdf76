import { useApi } from '../../../api/api.tsx'
import type { Api } from '../../../api/client.ts'
import { errorText } from '../../../api/error-text.ts'
import { useSession } from '../../../api/session.tsx'
import { useChange } from '../../../api/use-change.ts'
import type { ConfigExport } from '@pulse/contract'

interface TransferTexts {
  /** error text if no user is signed in and a token would not help */
  refused: string
  /** error text if the response has none */
  failed: string
}

interface TransferOptions<Reply> {
  path: string
  texts: TransferTexts
  onSuccess: (reply: Reply) => void
  /** The call needs an API token; `reason` if the last one was rejected. */
  onTokenNeeded: (reason?: string) => void
}

const invalidToken = 'Invalid or expired API token. Please re-enter.'

/** Refused for lack of a token; the prompt then asks for one. */
class TokenNeeded extends Error {
  readonly reason: string | undefined
  constructor(reason?: string) {
    super(reason)
    this.reason = reason
  }
}

/** An export or import call, with its error handling. */
export function useTransfer<Body extends object, Reply>(options: TransferOptions<Reply>) {
  const { path, texts, onSuccess, onTokenNeeded } = options
  const api = useApi()
  const { status } = useSession()
  const isSignedIn = status.user !== undefined
  const transfer = useChange({
    mutationFn: (body: Body) => send<Reply>(api, path, body, isSignedIn, texts),
    onSuccess,
    onError: (error) => error instanceof TokenNeeded && onTokenNeeded(error.reason),
  })
  const failure = transfer.error instanceof TokenNeeded ? undefined : transfer.error?.message
  return { ...transfer, failure }
}

async function send<Reply>(
  api: Api,
  path: string,
  body: object,
  isSignedIn: boolean,
  texts: TransferTexts,
): Promise<Reply> {
  const response = await api
    .send(path, {
      method: 'POST',
      retryLimited: false,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    .catch((cause: unknown) => {
      throw new Error(texts.failed, { cause })
    })
  const text = await response.text()
  if (response.ok) return JSON.parse(text) as Reply
  if (!isSignedIn && (response.status === 401 || response.status === 403)) {
    throw refusal(api, text, texts.refused)
  }
  throw new Error(text.trim() === '' ? texts.failed : errorText(response.status, text))
}

function refusal(api: Api, text: string, refused: string): Error {
  if (api.credentials.get()?.kind === 'token') {
    api.credentials.clear()
    return new TokenNeeded(invalidToken)
  }
  return /api[ _-]?token/i.test(text) ? new TokenNeeded() : new Error(refused)
}

/** As `pulse-config-2026-11-21.json`. */
export const exportFileName = (at: Date) => `pulse-config-${at.toISOString().slice(0, 10)}.json`

/**
 * The payload of an import: the file's `data` field, else the file itself for the server to judge. Throws if
 * it is not JSON.
 */
export function importData(text: string): string {
  const parsed = JSON.parse(text) as Partial<ConfigExport> | null
  return typeof parsed?.data === 'string' ? parsed.data : text
}
