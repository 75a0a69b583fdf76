import type { TestProject } from 'vitest/node'
import { build } from './build.mjs'

const names = ['server for tests']

/** Tests start the built server and database thread, because these start faster than their sources. */
export default async function setup(project: TestProject): Promise<void> {
  await build({ ifStale: true, names })
  // In watch mode a failed build is reported and the watch continues. One project builds for all.
  if (project !== project.vitest.projects[0]) return
  project.onTestsRerun(() => build({ ifStale: true, names, fail: () => {} }))
}
