import type { TestProject } from 'vitest/node'
import { build } from './build.mjs'

const names = ['server for tests']

/** Processes of their own and threads of databases that tests start are those that ship: they start sooner than their sources. */
export default async function setup(project: TestProject): Promise<void> {
  await build({ ifStale: true, names })
  // Whoever edits while tests are watched is told that it does not build, and goes on editing. One project does it for all.
  if (project !== project.vitest.projects[0]) return
  project.onTestsRerun(() => build({ ifStale: true, names, fail: () => {} }))
}
