import type { Reporter, TestModule } from 'vitest/node'

/** Ends every run with one line that counts all suites. A suite that fails to load counts as one failure. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]) {
    const count = { passed: 0, failed: errors.length, skipped: 0 }
    for (const module of modules) {
      let tests = 0
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        count[state === 'passed' || state === 'failed' ? state : 'skipped']++
        tests++
      }
      if (tests === 0 && module.state() === 'failed') count.failed++
    }
    process.on('exit', () =>
      console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`),
    )
  }
}
