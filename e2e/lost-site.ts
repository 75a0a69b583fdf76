import type { Page } from 'playwright-core'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

interface Snapshot {
  t: string
  s: string
  index: Record<string, string[]>
  state: Record<string, (Record<string, unknown> | null)[]>
}

/** Changes what the page receives: nothing has arrived from the site since that time. Later updates do not change that. */
export async function loseSite(page: Page, site: string, since: number): Promise<void> {
  await page.routeWebSocket('**/ws', (socket) => {
    const server = socket.connectToServer()
    server.onMessage((message) => socket.send(typeof message === 'string' ? message : changed(message)))
  })

  function changed(message: Buffer): Buffer {
    const frame = JSON.parse(inflateRawSync(message).toString()) as Snapshot
    if (frame.t !== 'snapshot' || frame.s !== 'live') return message
    lose(frame)
    return deflateRawSync(JSON.stringify(frame))
  }

  function lose({ index, state }: Snapshot) {
    const sources = new Set<unknown>()
    for (const [at, source] of (state['sources'] ?? []).entries()) {
      if (source?.['site'] !== site) continue
      sources.add(index['sources']![at])
      Object.assign(source, { health: 'unknown', staleSince: since, siteUnreachableSince: since })
    }
    for (const record of Object.values(state).flat()) {
      if (!record || !sources.has(record['source'])) continue
      record['staleSince'] = since
      if (record['connectionHealth'] !== undefined) record['connectionHealth'] = 'unknown'
    }
  }
}
