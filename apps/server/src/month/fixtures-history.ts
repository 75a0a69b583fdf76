// This file serves tests only, like the packages it needs.
import type { HistoryChange, HistorySeries } from '@pulse/contract'
import { dayMs, type Month } from './fixtures-month.ts'

/** The days, from 1, on which a series has a point, with the highest value of each. */
export type PeakByDay = ReadonlyMap<number, number>

const begin = (month: Month) => month.now() - month.at()

/** The CPU of a guest over the whole time. */
export async function guestPeaks(month: Month, vmid: number): Promise<PeakByDay> {
  const all = (await month.call('GET', '/api/config/nodes')) as { id: string; type: string }[]
  const { id } = all.find(({ type }) => type === 'pve')!
  return peaks(month, 'guests', `${id}:${vmid}`)
}

async function peaks(month: Month, kind: string, id: string): Promise<PeakByDay> {
  const from = begin(month)
  const query = new URLSearchParams({
    kind,
    ids: id,
    fields: 'cpu',
    from: String(from),
    to: String(month.now()),
    points: '2000',
  })
  const { series } = (await month.call('GET', `/api/history/series?${query}`)) as { series: HistorySeries[] }
  const found = new Map<number, number>()
  for (const { at, max } of series[0]!.points) {
    const day = Math.floor((at - from) / dayMs) + 1
    found.set(day, Math.max(found.get(day) ?? 0, max))
  }
  return found
}

/** All changes of guests that are still listed, the oldest first. */
export async function guestChanges(month: Month): Promise<HistoryChange[]> {
  const all: HistoryChange[] = []
  for (let cursor: string | undefined; ;) {
    const query = new URLSearchParams({
      kind: 'guests',
      from: String(begin(month)),
      to: String(month.now() + 1),
      limit: '500',
      ...(cursor !== undefined && { cursor }),
    })
    const page = (await month.call('GET', `/api/history/changes?${query}`)) as {
      changes: HistoryChange[]
      cursor?: string
    }
    all.push(...page.changes)
    if (page.cursor === undefined) return all.toReversed()
    cursor = page.cursor
  }
}

/** Ticks since the start of the server whose samples were lost. */
export async function lostTicks({ server }: Month): Promise<number> {
  const { text } = await server.call('GET', '/metrics')
  return Number(/^pulse_history_ticks_lost_total (\d+)$/m.exec(text)![1])
}
