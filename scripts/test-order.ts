import fs from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Journeys that fill a folder of their own take longest; begun last they would be waited for alone. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => fs.existsSync(moduleId.replace(/\.test\.ts$/, ''))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
