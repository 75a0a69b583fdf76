import type { MailDomain } from '@pulse/contract'
import type { HostPart } from '../proxmox/host-part.ts'
import { readList } from '../proxmox/schema.ts'
import type { PmgCache } from './cache.ts'
import { PmgDomain } from './schema.ts'

const PATH = '/statistics/domains'
const most = 20

/** The domains with the most mail today. */
export const domains: HostPart<PmgCache> = {
  name: 'domain statistics',
  flags: ['monitorDomainStats'],
  calls: { perLook: 1 },
  start: ({ cache, now, get }) => ({
    loops: [
      {
        name: 'domain statistics',
        right: 'Auditor',
        async run(signal) {
          const path = `${PATH}?starttime=${Math.floor(now() / 1000)}`
          const all = readList(PmgDomain, await get(path, signal), PATH).map(toDomain)
          const mails = (one: MailDomain) => one.countIn + one.countOut
          cache.domains = all
            .toSorted((a, b) => mails(b) - mails(a) || (a.domain < b.domain ? -1 : 1))
            .slice(0, most)
        },
      },
    ],
    stop: () => void (cache.domains = undefined),
  }),
}

const toDomain = (row: PmgDomain): MailDomain => ({
  domain: row.domain,
  countIn: row.count_in ?? 0,
  countOut: row.count_out ?? 0,
  spamIn: row.spamcount_in ?? 0,
  virusIn: row.viruscount_in ?? 0,
  bytesIn: Math.round(row.bytes_in ?? 0),
  bytesOut: Math.round(row.bytes_out ?? 0),
})
