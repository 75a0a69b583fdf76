import {
  type AlertTrace,
  channelKinds,
  getAlertTrace,
  getDeliveries,
  postDeliveryRetry,
  postNotificationTest,
} from '@pulse/contract'
import { AppError } from '../app-error.ts'
import type { DeliveryStore } from '../db/deliveries.ts'
import { type Route, route } from '../http/route.ts'
import type { createChannelModules } from './channels/index.ts'
import { invalid } from './channels/refusals.ts'
import { deliveryLog } from './delivery-log.ts'
import type { Pipeline } from './pipeline.ts'

export interface NotificationRouteEdges {
  modules: ReturnType<typeof createChannelModules>
  pipeline: Pipeline
  store: DeliveryStore
  /** trace of the alerts, without their messages */
  trace: (alertOrResource: string) => AlertTrace | undefined
}

const anyKind = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(channelKinds)

/** Routes for all channels. Each kind of channel adds its own. */
export function notificationRoutes({
  modules,
  pipeline,
  store,
  trace,
}: NotificationRouteEdges): readonly Route[] {
  return [
    route(postNotificationTest, async ({ body, note }) => {
      const kind = body.method ?? body.type
      if (kind === undefined) throw invalid('type', `Set what to test: ${anyKind}.`)
      note({ target: kind })
      return { status: 'success' as const, message: await modules[kind].test({ body, note }) }
    }),
    route(getDeliveries, ({ query }) => deliveryLog(store, pipeline, query ?? {})),
    route(postDeliveryRetry, async ({ params: { id }, note }) => {
      note({ target: id })
      const answer = await pipeline.retry(id)
      if (answer === 'unknown')
        throw new AppError('not_found', 'Message not found; the log keeps only the latest.')
      if (answer === 'pending')
        throw new AppError('conflict', 'This message is still queued and will be sent later.')
      if (answer === 'done')
        throw new AppError(
          'conflict',
          'This message is final: it was delivered, was a test or was cancelled.',
        )
      if (answer === 'noChannel')
        throw new AppError('conflict', 'The channel of this message is disabled or was removed.')
      return { status: 'success' as const }
    }),
    route(getAlertTrace, ({ query: { alert, resource } }) => {
      const what = alert ?? resource
      if (what === undefined) throw new AppError('bad_request', 'Name an alert or a resource.')
      const found = trace(what)
      if (!found) throw new AppError('not_found', 'No such alert or resource.')
      const conditions = found.conditions.map((condition) => {
        const notices = pipeline.explain(condition.alertId)
        return notices.length === 0 ? condition : { ...condition, notices }
      })
      return { ...found, conditions }
    }),
  ]
}
