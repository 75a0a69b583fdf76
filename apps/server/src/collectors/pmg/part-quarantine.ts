import type { HostPart } from '../proxmox/host-part.ts'
import { readOne } from '../proxmox/schema.ts'
import type { PmgBook } from './book.ts'
import { PmgQuarantine } from './schema.ts'

const ATTACHMENTS = '/quarantine/attachment'
const mostAttachments = 100_000
const limits = { waitMs: 10_000, headersMs: 30_000, totalMs: 60_000, maxBytes: 64 * 1024 * 1024 }

/** What is held back. Attachments are only counted: whose they are stays there. Nothing tells of blacklisted mail. */
export const quarantine: HostPart<PmgBook> = {
  name: 'quarantine',
  flags: ['monitorQuarantine'],
  calls: { perLook: 3 },
  start({ book, get }) {
    async function count(what: string, signal: AbortSignal): Promise<number> {
      const path = `/quarantine/${what}status`
      return readOne(PmgQuarantine, await get(path, signal), path).count ?? 0
    }

    async function countAttachments(signal: AbortSignal): Promise<number> {
      let attachment = 0
      const each = () => void (attachment = Math.min(mostAttachments, attachment + 1))
      await get(ATTACHMENTS, signal, { limits, each })
      return attachment
    }

    return {
      loops: [
        {
          name: 'quarantine',
          right: 'Auditor',
          async run(signal) {
            book.quarantine = {
              spam: await count('spam', signal),
              virus: await count('virus', signal),
              attachment: await countAttachments(signal),
            }
          },
        },
      ],
      stop: () => void (book.quarantine = undefined),
    }
  },
}
