import type { Clock, Notice } from '@pulse/domain'
import { randomUUID } from 'node:crypto'
import { AppError } from '../app-error.ts'
import type { DeliveryStore } from '../db/deliveries.ts'
import type { Channel, Outcome } from './channel.ts'
import { newJob, rowOf } from './job.ts'
import { sendWithin } from './send-within.ts'

export interface TestSendEdges {
  clock: Clock
  store: DeliveryStore
  publicUrl: () => string | undefined
  /** a monitored node, so that the message looks real */
  someNode: () => string | undefined
  report: (error: unknown) => void
  /** aborted when Pulse stops */
  stop: AbortSignal
}

/** Sends one test message, without a retry. Throws when it was not delivered. */
export type SendTest = (channel: Channel) => Promise<Outcome & { delivered: true }>

export function createTestSend({ clock, store, publicUrl, someNode, report, stop }: TestSendEdges): SendTest {
  return async (channel) => {
    const now = clock.now()
    const notice = sampleNotice(now, someNode() ?? 'pve1', publicUrl())
    const started = clock.monotonic()
    const outcome = await sendWithin(channel, notice, {
      clock,
      stop,
      report,
      timeoutMs: channel.testTimeoutMs,
    })
    await record(channel, notice, outcome, clock.monotonic() - started)
    if (outcome.delivered) return outcome
    const { reason, status, response } = outcome
    throw new AppError('notification_failed', reason, {
      fields: {
        success: false,
        ...(status !== undefined && { status }),
        ...(response !== undefined && { response }),
      },
    })
  }

  /** Adds the test to the delivery log. A failure to store it does not change the outcome. */
  async function record(channel: Channel, notice: Notice, outcome: Outcome, tookMs: number) {
    const { status, response, bytes } = outcome
    const error = outcome.delivered ? undefined : outcome.reason
    const moment = { now: clock.now(), monotonic: clock.monotonic() }
    const items = notice.alerts.map(({ alert }) => ({ episode: '', alert, escalatedAfter: 0 }))
    const dispatch = { channelId: channel.info.id, kind: 'raised' as const, items, sources: [] }
    const job = { ...newJob(dispatch, moment), eventId: notice.eventId }
    const log = [
      {
        at: notice.at,
        success: outcome.delivered,
        duration: Math.round(tookMs),
        ...(status !== undefined && { statusCode: status }),
        ...(response !== undefined && { response }),
        ...(error !== undefined && { error }),
      },
    ]
    const row = {
      ...rowOf(job, channel),
      kind: 'test',
      state: outcome.delivered ? 'delivered' : 'failed',
      next_attempt_at: null,
      attempts: 1,
      log: JSON.stringify(log),
      status_code: status ?? null,
      error: error ?? null,
      payload_size: bytes,
      items: '[]',
    }
    await store.write([store.adding(row)]).catch(report)
  }
}

function sampleNotice(now: number, node: string, publicUrl: string | undefined): Notice {
  const at = new Date(now).toISOString()
  return {
    eventId: randomUUID(),
    kind: 'test',
    at,
    alerts: [
      {
        alert: {
          id: 'test-alert-cpu',
          type: 'cpu',
          level: 'warning',
          resourceId: 'test-resource',
          resourceName: 'Test resource',
          node,
          instance: node,
          message: 'This is a test: CPU of Test resource is at 85.5%, its threshold is 80%.',
          value: 85.5,
          threshold: 80,
          startTime: new Date(now - 5 * 60_000).toISOString(),
          lastSeen: at,
          acknowledged: false,
          metadata: { resourceType: 'VM', clearThreshold: 75 },
        },
      },
    ],
    ...(publicUrl !== undefined && { publicUrl }),
  }
}
