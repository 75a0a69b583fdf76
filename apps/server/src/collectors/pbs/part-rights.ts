import type { HostPart } from '../proxmox/host-part.ts'
import { missingOf } from '../proxmox/rights.ts'
import { Permissions, readOne } from '../proxmox/schema.ts'
import { SourceError } from '../source-error.ts'
import type { PbsBook } from './book.ts'
import { needs } from './needs.ts'

const PATH = '/access/permissions'
const minute = 60_000

/** What the account may not see at all: lists are filtered in silence, so nothing else tells. */
export const rights: HostPart<PbsBook> = {
  name: 'rights',
  calls: { host: 0.2 },
  start: ({ get, unreadable }) => {
    let isMissing = false
    return {
      loops: [
        {
          name: 'rights',
          everyMs: () => (isMissing ? 5 : 60) * minute,
          async run(signal) {
            const granted = readOne(Permissions, await get(PATH, signal), PATH)
            isMissing = false
            for (const need of needs) {
              const what = entryOf(need.path)
              const [missing] = missingOf(granted, [need])
              if (missing === undefined) unreadable.read(what)
              else unreadable.failed(what, new SourceError('forbidden', missing), need.called)
              isMissing ||= missing !== undefined
            }
          },
        },
      ],
      stop: () => unreadable.forget((what) => needs.some(({ path }) => what === entryOf(path))),
    }
  },
}

const entryOf = (path: string) => `everything on ${path}`
