import { AppError } from '../../app-error.ts'
import type { GuestMetadataArea } from '../../guests/metadata.ts'

export interface DeclaredLinksEdges {
  /** guest id → address */
  urls: ReadonlyMap<string, string>
  /** for texts */
  fileName: string
  metadata: GuestMetadataArea
}

export interface DeclaredLinks {
  /** The same area, in which what the file declares cannot be changed. */
  metadata: GuestMetadataArea
  apply(): Promise<void>
}

export function declaredLinks({ urls, fileName, metadata }: DeclaredLinksEdges): DeclaredLinks {
  async function refuse(guestId: string) {
    const ids = await Promise.all([guestId, ...urls.keys()].map(async (one) => (await metadata.get(one)).id))
    if (!urls.has(guestId) && !ids.slice(1).includes(ids[0]!)) return
    throw new AppError(
      'locked_by_environment',
      `The link of ${guestId} is fixed by ${fileName}. Change it there and restart Pulse.`,
    )
  }

  async function bring(guestId: string) {
    const customUrl = urls.get(guestId)!
    if ((await metadata.get(guestId)).customUrl !== customUrl) await metadata.put(guestId, { customUrl })
  }

  return {
    metadata: {
      ...metadata,
      async put(guestId, input) {
        await refuse(guestId)
        return metadata.put(guestId, input)
      },
      async remove(guestId) {
        await refuse(guestId)
        await metadata.remove(guestId)
      },
    },
    async apply() {
      for (const guestId of urls.keys()) await bring(guestId)
    },
  }
}
