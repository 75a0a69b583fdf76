import { type Call, type HttpSink, openHttpSink } from './http-sink.ts'
import { isObject, type Json, look } from './shapes/look.ts'

export interface ReceivedApprise extends Call {
  /** key of the stored configuration; empty: the request contains the URLs */
  key: string
  json: Json
}

export interface AppriseSink extends HttpSink {
  /** oldest first */
  received(): readonly ReceivedApprise[]
  clear(): void
}

interface AppriseOptions {
  port?: number
  /** stored configurations */
  keys?: readonly string[]
  /** required value of `X-API-KEY`, as a proxy in front of the server may demand */
  apiKey?: string
}

/** The Apprise API server, for notifications only: `/notify/` with addresses, `/notify/{key}` for a stored configuration. */
export async function startAppriseSink(options: AppriseOptions = {}): Promise<AppriseSink> {
  const { keys = [], apiKey } = options
  let received: ReceivedApprise[] = []
  const sink = await openHttpSink(options.port ?? 0, (call) => {
    const [, key] = /^\/notify(?:\/([\w-]{0,128}))?\/?$/.exec(call.url.pathname) ?? []
    if (!call.url.pathname.startsWith('/notify') || call.method !== 'POST') return answer(404, 'Not found')
    if (apiKey !== undefined && call.headers['x-api-key'] !== apiKey) return answer(401, 'Unauthorized')
    const json = parsed(call.text)
    if (!json) return answer(400, 'Bad FORM Payload provided.')
    const at = look()
    at.text(json['body'], 'body', 32_768)
    at.text(json['title'] ?? '', 'title', 250, 0)
    at.oneOf(json['type'], 'type', ['info', 'success', 'warning', 'failure'])
    at.oneOf(json['format'] ?? 'text', 'format', ['text', 'markdown', 'html'])
    if (at.problems.length > 0) return answer(400, at.problems.join('; '))
    received.push({ ...call, key: key ?? '', json })
    if (key && !keys.includes(key)) return answer(204, '')
    if (!key && (typeof json['urls'] !== 'string' || json['urls'] === '')) return answer(204, '')
    return answer(200, 'Sent notification(s).')
  })
  return {
    ...sink,
    received: () => received,
    clear() {
      received = []
    },
  }
}

const answer = (status: number, message: string) => ({
  status,
  body: { error: status < 300 ? '' : message, message },
})

function parsed(text: string): Json | undefined {
  try {
    const json: unknown = JSON.parse(text)
    return isObject(json) ? json : undefined
  } catch {
    return undefined
  }
}
