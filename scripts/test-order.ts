import fs from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Longest first, or what takes long would be waited for alone. A process, and all that it has loaded, is kept only while
 * the next file wants the same environment: those that have a page come last, one after the other.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = new Map(sorted.map((file) => [file, Number(hasPage(file)) - Number(isLong(file))]))
    return sorted.toSorted((a, b) => rank.get(a)! - rank.get(b)!)
  }
}

const hasPage = ({ moduleId }: TestSpecification) =>
  fs.readFileSync(moduleId, 'utf8').startsWith('// @vitest-environment happy-dom')

/** A minute and more in few lines: they wait for what an estate does in its own time, or look at many sizes. */
const waiting =
  /\/e2e\/(alerts|node-death|release-updates|silent-source|tables|untouched-forms|updates)\.test\.ts$/

/** Journeys that fill a folder of their own take longest. */
const isLong = ({ moduleId }: TestSpecification) =>
  waiting.test(moduleId) || fs.existsSync(moduleId.replace(/\.test\.tsx?$/, ''))
