import type { HostPart } from '../proxmox/host-part.ts'
import { readOne } from '../proxmox/schema.ts'
import type { PmgCache } from './cache.ts'
import { PmgQuarantine } from './schema.ts'

/** The list has up to 64 MB, because the gateway has no count of attachments. */
const attachmentsIntervalMs = 1_200_000
const ATTACHMENTS = '/quarantine/attachment'
const mostAttachments = 100_000
const limits = { waitMs: 10_000, headersMs: 30_000, totalMs: 60_000, maxBytes: 64 * 1024 * 1024 }

/** The quarantined mail. Attachments are counted without owners. No query reports blacklisted mail. */
export const quarantine: HostPart<PmgCache> = {
  name: 'quarantine',
  flags: ['monitorQuarantine'],
  calls: { perLook: 2, perMinute: 60_000 / attachmentsIntervalMs },
  start({ cache, get }) {
    let counts: { spam: number; virus: number } | undefined
    let attachment: number | undefined

    /** Published once all counts are known. */
    function show() {
      if (counts && attachment !== undefined) cache.quarantine = { ...counts, attachment }
    }

    async function count(what: string, signal: AbortSignal): Promise<number> {
      const path = `/quarantine/${what}status`
      return readOne(PmgQuarantine, await get(path, signal), path).count ?? 0
    }

    async function countAttachments(signal: AbortSignal): Promise<number> {
      let found = 0
      const each = () => void (found = Math.min(mostAttachments, found + 1))
      await get(ATTACHMENTS, signal, { limits, each })
      return found
    }

    return {
      loops: [
        {
          name: 'quarantine',
          right: 'Auditor',
          async run(signal) {
            counts = { spam: await count('spam', signal), virus: await count('virus', signal) }
            show()
          },
        },
        {
          name: 'quarantined attachments',
          right: 'Auditor',
          intervalMs: () => attachmentsIntervalMs,
          async run(signal) {
            attachment = await countAttachments(signal)
            show()
          },
        },
      ],
      stop: () => void (cache.quarantine = undefined),
    }
  },
}
