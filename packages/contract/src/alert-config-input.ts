import * as z from 'zod/mini'
import { AlertConfig, AlertSchedule } from './alert-config.ts'
import { fromOlderForm } from './alert-config-older.ts'

/** The fields may be absent, those of the parts too: what is absent stays as it is stored. */
const { shape } = AlertConfig
const { shape: schedule } = AlertSchedule

const fields = z.partial(
  z.object({
    ...shape,
    guestDefaults: z.partial(shape.guestDefaults),
    nodeDefaults: z.partial(shape.nodeDefaults),
    dockerDefaults: z.partial(shape.dockerDefaults),
    pmgDefaults: z.partial(shape.pmgDefaults),
    snapshotDefaults: z.partial(shape.snapshotDefaults),
    backupDefaults: z.partial(shape.backupDefaults),
    timeThresholds: z.partial(shape.timeThresholds),
    schedule: z.partial(
      z.object({
        ...schedule,
        quietHours: z.partial(
          z.object({
            ...schedule.quietHours.shape,
            days: z.partial(schedule.quietHours.shape.days),
            suppress: z.partial(schedule.quietHours.shape.suppress),
          }),
        ),
        escalation: z.partial(schedule.escalation),
        grouping: z.partial(schedule.grouping),
      }),
    ),
    aggregation: z.partial(shape.aggregation),
    flapping: z.partial(shape.flapping),
    ioNormalization: z.partial(shape.ioNormalization),
  }),
)

/**
 * A configuration as somebody sends it: any part of it, also in older forms. What is not known in it is dropped, for it
 * comes from clients of other versions.
 */
export const AlertConfigInput = z.pipe(z.transform(fromOlderForm), fields)
export type AlertConfigInput = z.infer<typeof fields>
