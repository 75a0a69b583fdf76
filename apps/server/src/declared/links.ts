import type { LinkLocks, LockableLinks } from './locks.ts'

/** Makes the links what the file says, and locks them. */
export async function applyLinks(
  urls: ReadonlyMap<string, string>,
  metadata: Pick<LockableLinks, 'get' | 'put'>,
  locks: LinkLocks,
): Promise<void> {
  for (const [guestId, customUrl] of urls) {
    if ((await metadata.get(guestId)).customUrl !== customUrl) await metadata.put(guestId, { customUrl })
  }
  locks.close()
}
