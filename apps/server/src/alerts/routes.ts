import {
  type ActivationState,
  type Alert,
  deleteAlertHistory,
  getActiveAlerts,
  getAlertConfig,
  getAlertHistory,
  getAlertHistoryCount,
  postAcknowledge,
  postAlertAcknowledge,
  postAlertClear,
  postAlertsActivate,
  postAlertsDeactivate,
  postAlertUnacknowledge,
  postBulkAcknowledge,
  postBulkClear,
  postClear,
  postUnacknowledge,
  putAlertConfig,
} from '@pulse/contract'
import { counting } from '@pulse/domain'
import { Readable } from 'node:stream'
import { AppError } from '../app-error.ts'
import { FileReply, type Input, principalOf, route } from '../http/route.ts'
import { yieldToEventLoop } from '../timing/yield.ts'
import { type AlertHistory, pageOfActive, chunkRows } from './history.ts'
import type { AlertSettings } from './settings.ts'
import type { AlertWatch } from './watch.ts'

/** Text for the audit log. */
const activationTexts: Record<ActivationState, string> = {
  active: 'active',
  pending_review: 'not active',
  snoozed: 'snoozed',
}

export interface AlertRouteEdges {
  settings: AlertSettings
  watch: AlertWatch
  history: AlertHistory
  mask: { deep<T>(value: T): T } | undefined
}

type Asked = Pick<Input<typeof postAlertAcknowledge>, 'identity' | 'note'>

export function alertRoutes({ settings, watch, history, mask }: AlertRouteEdges) {
  /** A long list is logged as a count. */
  function noted(ids: readonly string[], { note }: Asked) {
    note({ target: ids.length === 1 ? ids[0]! : `${ids.length} alerts` })
  }

  async function one(
    id: string,
    asked: Asked,
    act: (ids: string[], user: string) => Promise<ReadonlySet<string>>,
  ) {
    const done = await act([id], principalOf(asked).name)
    if (!done.has(id)) throw new AppError('not_found', 'Alert not found; it may have been resolved.')
    noted([id], asked)
    return { success: true as const }
  }

  const acknowledge = (id: string, asked: Asked) => one(id, asked, watch.acknowledge)
  const unacknowledge = (id: string, asked: Asked) => one(id, asked, watch.unacknowledge)
  /** An alert that has ended already counts as cleared. */
  const clear = async (id: string, asked: Asked) => {
    await watch.clear([id])
    noted([id], asked)
    return { success: true as const }
  }
  const activation = async (state: 'active' | 'pending_review', message: string, { note }: Asked) => {
    const { activationState, activationTime } = await settings.setActivation(state)
    note({ details: `alerts ${activationTexts[activationState]}` })
    return {
      success: true as const,
      message,
      state: activationState,
      ...(activationTime !== undefined && { activationTime }),
    }
  }

  const listReply = (chunks: AsyncIterable<Alert[]>) =>
    new FileReply(() => Readable.from(toJson(chunks, mask)), {
      'content-type': 'application/json; charset=utf-8',
    })

  return [
    route(getAlertConfig, ({ query }) => settings.shown(query.keys ?? 'documented')),
    route(putAlertConfig, async ({ body, note }) => {
      const { activationState, enabled } = await settings.change(body)
      note({ details: `evaluation ${enabled ? 'on' : 'off'}, alerts ${activationTexts[activationState]}` })
      return { success: true as const, message: 'Alert settings saved.' }
    }),
    route(postAlertsActivate, (input) => activation('active', 'Alerts are active.', input)),
    route(postAlertsDeactivate, (input) => activation('pending_review', 'Alerts are not active.', input)),
    route(getActiveAlerts, ({ query }) =>
      listReply(inChunks(pageOfActive(watch.active().values(), query ?? {}))),
    ),
    route(getAlertHistory, async ({ query }) => listReply(await history.find(query))),
    route(getAlertHistoryCount, async ({ query }) => ({ count: await history.count(query) })),
    route(deleteAlertHistory, async ({ note }) => {
      const entries = await history.count()
      await history.clear()
      note({ target: 'alert history', details: counting(entries, 'entry', 'entries') })
      return { status: 'success' as const, message: 'Alert history cleared.' }
    }),
    route(postAlertAcknowledge, (input) => acknowledge(input.params.id, input)),
    route(postAlertUnacknowledge, (input) => unacknowledge(input.params.id, input)),
    route(postAlertClear, (input) => clear(input.params.id, input)),
    route(postAcknowledge, (input) => acknowledge(input.body.id, input)),
    route(postUnacknowledge, (input) => unacknowledge(input.body.id, input)),
    route(postClear, (input) => clear(input.body.id, input)),
    route(postBulkAcknowledge, async (input) => {
      const ids = [...new Set(input.body.alertIds)]
      const done = await watch.acknowledge(ids, principalOf(input).name)
      noted([...done], input)
      return {
        results: ids.map((alertId) =>
          done.has(alertId)
            ? { alertId, success: true }
            : { alertId, success: false, error: 'Alert not found; it may have been resolved.' },
        ),
      }
    }),
    route(postBulkClear, async (input) => {
      const ids = [...new Set(input.body.alertIds)]
      await watch.clear(ids)
      noted(ids, input)
      return { results: ids.map((alertId) => ({ alertId, success: true })) }
    }),
  ]
}

/** Yields to the event loop between chunks. */
async function* inChunks(alerts: readonly Alert[]) {
  for (let from = 0; from < alerts.length; from += chunkRows) {
    yield alerts.slice(from, from + chunkRows)
    await yieldToEventLoop()
  }
}

/** Streams a list of any length. */
async function* toJson(chunks: AsyncIterable<Alert[]>, mask: AlertRouteEdges['mask']) {
  let before = '['
  for await (const entries of chunks) {
    yield before + entries.map((entry) => JSON.stringify(mask ? mask.deep(entry) : entry)).join(',')
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}
