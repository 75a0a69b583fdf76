import { readMembership, standalone } from './membership.ts'
import type { Part } from './part.ts'
import { SOON_MS } from '../../polling/publisher.ts'

const minute = 60_000

/** The cluster's name, its members and their addresses, and whether it has quorum. */
export const membership: Part = {
  name: 'membership',
  calls: { perMinute: 1 },
  rights: [
    {
      path: '/',
      alone: true,
      rights: ['Sys.Audit'],
      called: 'Sys.Audit',
      dark: 'cluster members stay unknown',
    },
  ],
  start(context) {
    let isStandalone = false
    return {
      loops: [
        {
          name: 'membership',
          // On a standalone host every one of these calls leaves lines in its log.
          intervalMs: () => (isStandalone ? 5 * minute : minute),
          async run(signal) {
            const { data, at, endpoint } = await context.gateway.cluster('/cluster/status', { signal })
            const answer = readMembership(data)
            isStandalone = answer.clusterName === undefined
            if (answer.local !== undefined) context.endpoints.locate(endpoint, answer.local)
            context.cluster.learnMembership(answer)
            return at
          },
          failed(error, _failures, report) {
            // Hosts without cluster support answer like this.
            if (error.code !== 'unsupported') return report()
            isStandalone = true
            context.cluster.learnMembership(standalone)
            context.publish(SOON_MS)
            return 5 * minute
          },
        },
      ],
    }
  },
}
