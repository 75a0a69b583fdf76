import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from 'vitest/node'
import fs from 'node:fs'

/**
 * Longest files first, so that no long file runs alone at the end. Vitest reuses a process, with its loaded
 * modules, only while the environment stays the same, so files with a page come last.
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

/** Files that take a minute or more, because they wait for the estate or measure many sizes. */
const waiting =
  /\/e2e\/(alerts|backups|hostile-figures|mail-gateway|missing-code|narrow-settings|node-death|notifications|overview-room|release-updates|search|storage|tables|unreachable-source|untouched-forms|updates)\.test\.ts$/

/** Tests with their own folder take longest. */
const isLong = ({ moduleId }: TestSpecification) =>
  waiting.test(moduleId) || fs.existsSync(moduleId.replace(/\.test\.tsx?$/, ''))

/**
 * Prints one line at the end of every run that counts all suites. A suite that fails to load or to start counts as
 * one failure. Of several runs, each writes its counts to the file PULSE_TEST_COUNTS instead.
 */
export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]) {
    const count = { passed: 0, failed: errors.length, skipped: 0 }
    for (const module of modules) {
      let failed = 0
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        count[state === 'passed' || state === 'failed' ? state : 'skipped']++
        if (state === 'failed') failed++
      }
      if (failed === 0 && module.state() === 'failed') count.failed++
    }
    const file = process.env['PULSE_TEST_COUNTS']
    const line = `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`
    if (file === undefined) process.on('exit', () => console.log(line))
    else fs.writeFileSync(file, JSON.stringify(count))
  }
}
