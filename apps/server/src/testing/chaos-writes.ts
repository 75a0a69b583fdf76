import { realClock } from '../edges.ts'
import { pause } from '../timing/pause.ts'
import type { CallReply } from './chaos-calls.ts'

type Ask = (method: string, where: string, body?: unknown) => Promise<CallReply | undefined>

const apartMs = 400
const againMs = 500
/** A process that was stopped answers 408 to what had arrived in part. */
const mayTryAgain: readonly number[] = [408, 429]
/** There are limits to webhooks, and to links of guests that no source has. */
const mostWebhooks = 60
const mostLinks = 400

interface Written {
  tokens: Set<string>
  deletedTokens: Set<string>
  webhooks: Set<string>
  links: Map<string, string>
}

export interface Writes {
  readonly acknowledged: number
  /** What a process does not show of it. */
  lostAt(ask: Ask): Promise<string[]>
  whole: Promise<void>
}

/** Stores one thing after the other, each again until it is acknowledged. `ask`: any process. */
export function keepWriting(ask: Ask, random: () => number, signal: AbortSignal): Writes {
  const written: Written = {
    tokens: new Set(),
    deletedTokens: new Set(),
    webhooks: new Set(),
    links: new Map(),
  }
  let acknowledged = 0
  let count = 0

  /** 404: an attempt before has removed it, without an answer. */
  async function untilDone(method: string, where: string, body?: unknown): Promise<CallReply | undefined> {
    while (!signal.aborted) {
      const reply = await ask(method, where, body)
      if (reply?.ok || (method === 'DELETE' && reply?.status === 404)) {
        acknowledged++
        return reply
      }
      if (reply && reply.status < 500 && !mayTryAgain.includes(reply.status))
        throw new Error(`${method} ${where}: ${reply.status} ${JSON.stringify(reply.body)}`)
      await pause(realClock, againMs, signal)
    }
    return undefined
  }

  async function writeToken() {
    const name = `token ${++count}`
    const reply = await untilDone('POST', '/api/security/tokens', { name })
    if (!reply) return
    const { record } = reply.body as { record: { id: string } }
    if (random() < 0.5) {
      written.tokens.add(record.id)
      return
    }
    if (await untilDone('DELETE', `/api/security/tokens/${record.id}`)) written.deletedTokens.add(record.id)
  }

  async function writeWebhook() {
    const name = `webhook ${++count}`
    const url = 'http://127.0.0.1:8080/'
    const reply = await untilDone('POST', '/api/notifications/webhooks', { name, url, enabled: false })
    if (reply) written.webhooks.add(name)
  }

  async function writeLink() {
    const n = ++count % mostLinks
    const guest = `lab:node:${n}`
    const customUrl = `https://example.com/${n}`
    if (await untilDone('PUT', `/api/guests/metadata/${guest}`, { customUrl }))
      written.links.set(guest, customUrl)
  }

  async function run() {
    while (!signal.aborted) {
      const drawn = random()
      if (drawn < 0.2 && written.webhooks.size < mostWebhooks) await writeWebhook()
      else await (drawn < 0.6 ? writeToken() : writeLink())
      await pause(realClock, apartMs, signal)
    }
  }

  return {
    get acknowledged() {
      return acknowledged
    },
    async lostAt(at) {
      const read = async <T>(where: string): Promise<T> => {
        const reply = await at('GET', where)
        if (!reply?.ok) throw new Error(`${where}: ${reply ? JSON.stringify(reply) : 'no answer'}`)
        return reply.body as T
      }
      const tokens = new Set(
        (await read<{ tokens: { id: string }[] }>('/api/security/tokens')).tokens.map(({ id }) => id),
      )
      const webhooks = new Set(
        (await read<{ name: string }[]>('/api/notifications/webhooks')).map(({ name }) => name),
      )
      const links = await read<Record<string, { customUrl?: string }>>('/api/guests/metadata')
      return [
        ...[...written.tokens].filter((id) => !tokens.has(id)).map((id) => `token ${id}`),
        ...[...written.deletedTokens].filter((id) => tokens.has(id)).map((id) => `end of token ${id}`),
        ...[...written.webhooks].filter((name) => !webhooks.has(name)),
        ...[...written.links]
          .filter(([id, url]) => links[id]?.customUrl !== url)
          .map(([id]) => `link of ${id}`),
      ]
    },
    whole: run(),
  }
}
