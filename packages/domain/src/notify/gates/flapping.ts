import type { Gate } from '../dispatch.ts'

/** It is shown, and not sent until it has been calm for a while. */
export const flapping: Gate = {
  name: 'flapping',
  decide({ episode: { flappingUntil }, config, moment }) {
    if (!config.flapping.enabled || flappingUntil === undefined || flappingUntil <= moment.now)
      return undefined
    const { threshold, window } = config.flapping
    return {
      verdict: 'hold',
      reason: `It came and went ${threshold} times within ${window} minutes; nothing is sent of it until it is calm.`,
      until: moment.monotonic + flappingUntil - moment.now,
    }
  },
}
