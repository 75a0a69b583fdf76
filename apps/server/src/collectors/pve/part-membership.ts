import { readMembership, standalone } from './membership.ts'
import type { Part } from './part.ts'
import { SOON_MS } from './desk.ts'

const minute = 60_000

/** The cluster's name, its members and their addresses, and whether it has quorum. */
export const membership: Part = {
  name: 'membership',
  calls: { cluster: 1 },
  rights: [
    {
      path: '/',
      alone: true,
      rights: ['Sys.Audit'],
      called: 'Sys.Audit',
      dark: 'cluster members stay unknown',
    },
  ],
  start(desk) {
    let isStandalone = false
    return {
      loops: [
        {
          name: 'membership',
          // On a standalone host every one of these calls leaves lines in its log.
          everyMs: () => (isStandalone ? 5 * minute : minute),
          async run(signal) {
            const { data, at, endpoint } = await desk.gateway.cluster('/cluster/status', { signal })
            const answer = readMembership(data)
            isStandalone = answer.clusterName === undefined
            if (answer.local !== undefined) desk.endpoints.locate(endpoint, answer.local)
            desk.cluster.learnMembership(answer)
            return at
          },
          failed(error, _failures, tell) {
            // Hosts that know no clusters say so in this way.
            if (error.code !== 'unsupported') return tell()
            isStandalone = true
            desk.cluster.learnMembership(standalone)
            desk.publish(SOON_MS)
            return 5 * minute
          },
        },
      ],
    }
  },
}
