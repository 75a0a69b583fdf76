import { normalFingerprint } from '../certificate.ts'
import { freshMs } from './age.ts'
import type { Part } from './part.ts'
import { PveNode, readList } from './schema.ts'

const minute = 60_000

/**
 * The certificate of each member, as reported by the verified connection. Certificates may be renewed. The
 * same call lists the nodes, and replaces the listing while that fails.
 */
export const certificates: Part = {
  name: 'certificates',
  calls: { perMinute: 0.2 },
  callsUnlisted: { perMinute: 2 },
  start(context) {
    return {
      loops: [
        {
          name: 'nodes',
          intervalMs: () => (context.listsByNode() ? minute / 2 : 5 * minute),
          wakes: ['back', 'untrusted', 'unlisted'],
          async run(signal) {
            const { data, at } = await context.gateway.cluster('/nodes', { signal })
            const entries = readList(PveNode, data, '/nodes')
            context.nodes.list(entries, at, context.listsByNode() ? freshMs.nodes : freshMs.listing)
            context.follow()
            context.cluster.learnFingerprints(
              new Map(entries.flatMap((entry) => fingerprintOf(entry).map((shown) => [entry.node, shown]))),
            )
            return at
          },
        },
      ],
    }
  },
}

const fingerprintOf = ({ ssl_fingerprint }: PveNode): string[] => {
  const fingerprint = normalFingerprint(ssl_fingerprint ?? '')
  return fingerprint.length === 64 ? [fingerprint] : []
}
