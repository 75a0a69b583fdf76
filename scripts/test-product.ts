import type { TestProject } from 'vitest/node'
import { startPostgres } from '../apps/server/src/testing/postgres-server.ts'
import { build } from './build.mjs'

const names = ['server for tests']

/** Tests start the built server and database thread, because these start faster than their sources. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  await build({ ifStale: true, names })
  // In watch mode a failed build is reported and the watch continues. One project builds for all.
  if (project !== project.vitest.projects[0]) return undefined
  project.onTestsRerun(() => build({ ifStale: true, names, fail: () => {} }))
  if (process.env['PULSE_TEST_DATABASE'] !== 'postgres') return undefined
  const { port, remove } = await startPostgres()
  process.env['PULSE_TEST_POSTGRES_PORT'] = String(port)
  return remove
}
