import * as z from 'zod/mini'
import { AlertConfig, AlertSchedule } from './alert-config.ts'
import { fromLegacyForm } from './alert-config-legacy.ts'

/** All fields are optional, at every depth. An absent field keeps its stored value. */
const fields = z.partial(
  z.object({
    ...AlertConfig.shape,
    guestDefaults: z.partial(AlertConfig.shape.guestDefaults),
    nodeDefaults: z.partial(AlertConfig.shape.nodeDefaults),
    dockerDefaults: z.partial(AlertConfig.shape.dockerDefaults),
    storageLimits: z.partial(AlertConfig.shape.storageLimits),
    pmgDefaults: z.partial(AlertConfig.shape.pmgDefaults),
    snapshotDefaults: z.partial(AlertConfig.shape.snapshotDefaults),
    backupDefaults: z.partial(AlertConfig.shape.backupDefaults),
    timeThresholds: z.partial(AlertConfig.shape.timeThresholds),
    schedule: z.partial(
      z.object({
        ...AlertSchedule.shape,
        quietHours: z.partial(
          z.object({
            ...AlertSchedule.shape.quietHours.shape,
            days: z.partial(AlertSchedule.shape.quietHours.shape.days),
            suppress: z.partial(AlertSchedule.shape.quietHours.shape.suppress),
          }),
        ),
        escalation: z.partial(AlertSchedule.shape.escalation),
        grouping: z.partial(AlertSchedule.shape.grouping),
      }),
    ),
    aggregation: z.partial(AlertConfig.shape.aggregation),
    flapping: z.partial(AlertConfig.shape.flapping),
    ioNormalization: z.partial(AlertConfig.shape.ioNormalization),
  }),
)

/**
 * A configuration as a client sends it: any part of it, also in legacy forms. Unknown fields are dropped,
 * because clients of other versions send them.
 */
export const AlertConfigInput = z.pipe(z.transform(fromLegacyForm), fields)
export type AlertConfigInput = z.infer<typeof fields>
