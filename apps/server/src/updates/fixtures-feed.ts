import { type ReleaseFeed, startReleaseFeed } from '@pulse/lab'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'

/** A feed in the lab, a folder to publish from, and a new data folder for each test. */
export function givenFeed() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-published-'))
  const given = { folder } as { folder: string; feed: ReleaseFeed; dataDir: string }
  beforeAll(async () => {
    given.feed = await startReleaseFeed()
  })
  beforeEach(() => {
    given.dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-data-'))
  })
  afterEach(() => {
    given.feed.clear()
    given.feed.behave({ kind: 'take' })
    fs.rmSync(given.dataDir, { recursive: true })
  })
  afterAll(async () => {
    await given.feed.close()
    fs.rmSync(folder, { recursive: true })
  })
  return given
}
