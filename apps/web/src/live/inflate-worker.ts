import { serveInflate } from './inflate-serve.ts'

// The types of the page are known here, not those of a worker.
serveInflate(globalThis as unknown as Parameters<typeof serveInflate>[0])
