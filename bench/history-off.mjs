// Loaded into a measured server: its history thread does not start, so that the memory without history is measured.
import { syncBuiltinESMExports } from 'node:module'
import threads from 'node:worker_threads'

const { Worker } = threads
threads.Worker = class extends Worker {
  constructor(file, options) {
    if (/history[/-]worker/.test(String(file))) throw new Error('the bench has switched the history off')
    super(file, options)
  }
}
syncBuiltinESMExports()
