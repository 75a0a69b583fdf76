import type { LiveEvent, UpdateStatus } from '@pulse/contract'
import { fakeClock } from '@pulse/testkit'
import { newestFor } from './feed.ts'
import type { aKey } from './fixtures.ts'
import { anInstalled, clientOf, keptLog, pemOf, platform } from './fixtures-releases.ts'
import { openHistory } from './history.ts'
import { createUpdater } from './updater.ts'

/** The updater of a server with that version, on the data folder. */
export function anUpdater(
  version: string,
  { feed, key, dataDir }: { feed: string; key: ReturnType<typeof aKey>; dataDir: string },
  { clock = fakeClock(), into = dataDir, why = undefined as string | undefined } = {},
) {
  const ending = new AbortController()
  const { signal } = ending
  const { log, lines } = keptLog()
  const faults: unknown[] = []
  const shown: UpdateStatus[] = []
  const publish = (event: LiveEvent) => {
    if (event.type === 'update:progress') shown.push(event.data)
  }
  const history = openHistory(into, log)
  const client = clientOf(feed, clock)
  const updater = createUpdater({
    stage: why === undefined ? { client, keys: pemOf(key), platform, signal } : { why },
    version: anInstalled(version),
    dataDir: into,
    history,
    publish,
    onFault: (error) => faults.push(error),
    clock,
    log,
  })
  const begin = async () => {
    const { releases } = (await client.list(undefined, signal))!
    const release = newestFor(releases, { channel: 'stable', platform, running: version })!
    updater.begin(release, 'stable', { initiated_by: 'user', initiated_via: 'ui' })
  }
  const newest = () => history.list()[0]!
  const stop = () => {
    ending.abort()
    updater.stop()
  }
  return { updater, begin, stop, history, newest, shown, lines, faults, clock }
}
