import type { Gate } from '../dispatch.ts'

/** It is shown, and not sent until it has been calm for a while. */
export const flapping: Gate = {
  name: 'flapping',
  decide({ episode, config, moment }) {
    const until = episode.flapping?.until
    if (!config.flapping.enabled || until === undefined || until <= moment.monotonic) return undefined
    const { threshold, window } = config.flapping
    return {
      verdict: 'hold',
      reason: `It came and went ${threshold} times within ${window} minutes; nothing is sent of it until it is calm.`,
      until,
    }
  },
}
