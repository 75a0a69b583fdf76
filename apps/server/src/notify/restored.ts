import type { Alert } from '@pulse/contract'
import type { Told } from '@pulse/domain'
import type { DeliveryStore } from '../db/deliveries.ts'
import { type Job, jobOf } from './job.ts'

export interface RestoredNotifications {
  told: Told[]
  jobs: Job[]
  /** of ways out that are none any more */
  lostTold: Told[]
  lostJobs: string[]
}

/**
 * What is stored of who was told what and of messages that are not finished, one after the other: a hundred destinations
 * that were away have the same thousands of alerts each, which are kept once.
 */
export async function restored(
  store: Pick<DeliveryStore, 'told' | 'unfinished' | 'get'>,
  isWay: (channelId: string) => boolean,
  moment: { now: number; monotonic: number },
): Promise<RestoredNotifications> {
  const known = new Map<string, Alert>()
  function once<T extends { alert: Alert }>(item: T): T {
    const text = JSON.stringify(item.alert)
    const alert = known.get(text) ?? item.alert
    known.set(text, alert)
    return { ...item, alert }
  }
  const all = (await store.told()).map(({ told }) => once(JSON.parse(told) as Told))
  const { true: told = [], false: lostTold = [] } = Object.groupBy(all, ({ channelId }) =>
    isWay(channelId) ? 'true' : 'false',
  )
  const unfinished = await store.unfinished()
  const jobs: Job[] = []
  for (const { id, channel_id } of unfinished) {
    const row = isWay(channel_id) ? await store.get(id) : undefined
    if (!row) continue
    const job = jobOf(row, moment)
    jobs.push({ ...job, dispatch: { ...job.dispatch, items: job.dispatch.items.map(once) } })
  }
  const lostJobs = unfinished.filter(({ channel_id }) => !isWay(channel_id)).map(({ id }) => id)
  return { told, jobs, lostTold, lostJobs }
}
