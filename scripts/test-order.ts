import fs from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Longest first, or what takes long would be waited for alone. A process, and all that it has loaded, is kept only while
 * the next file wants the same environment: those that have a page come last, one after the other.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = new Map(sorted.map((file) => [file, Number(hasPage(file)) - Number(isJourney(file))]))
    return sorted.toSorted((a, b) => rank.get(a)! - rank.get(b)!)
  }
}

const hasPage = ({ moduleId }: TestSpecification) =>
  fs.readFileSync(moduleId, 'utf8').startsWith('// @vitest-environment happy-dom')

/** Journeys that fill a folder of their own take longest. */
const isJourney = ({ moduleId }: TestSpecification) => fs.existsSync(moduleId.replace(/\.test\.tsx?$/, ''))
