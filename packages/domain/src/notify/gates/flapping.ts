import { type Admission, type Decision, type Gate, isCritical } from '../dispatch.ts'

const minuteMs = 60_000

/** A flapping alert is shown, and not sent until it has been stable for a while. */
export const flapping: Gate = {
  name: 'flapping',
  decide(admission) {
    const { episode, config, moment } = admission
    const until = episode.flapping?.until
    if (!config.flapping.enabled || until === undefined || until <= moment.monotonic)
      return repeated(admission)
    const { threshold, window } = config.flapping
    return {
      verdict: 'hold',
      reason: `It fired ${threshold} times within ${window} minutes; nothing is sent until it stops flapping.`,
      until,
    }
  },
}

/**
 * A warning that fires again with nearly the same figure waits. The suppression window counts from the last
 * message about it.
 */
function repeated({
  kind,
  episode: { alert, repeats },
  sent,
  config,
  moment,
}: Admission): Omit<Extract<Decision, { verdict: 'hold' }>, 'gate'> | undefined {
  const last = sent.at(-1)
  if (kind !== 'raised' || !repeats || isCritical(alert) || last === undefined) return undefined
  const minutes = config.suppressionWindow
  const until = last + minutes * minuteMs
  if (until <= moment.monotonic) return undefined
  return {
    verdict: 'hold',
    reason: `It fired again with nearly the same value, less than ${minutes} minutes after the last message about it.`,
    until,
  }
}
