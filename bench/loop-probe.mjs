// Loaded into the measured server of any version: measures how long its event loop was busy without a break.
// An unreferenced immediate runs once per iteration of the loop without waking it. In a process with little work that is part of
// its CPU all the same: the message `still` stops the probe until the next `loop`.
import { performance } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const LEAST_MS = 0.5

if (isMainThread && process.send) {
  let blocks = []
  let since = performance.now()
  let at = since
  let idle = performance.eventLoopUtilization().idle
  let isStill = false
  const turn = () => {
    if (isStill) return
    const now = performance.now()
    const idleNow = performance.eventLoopUtilization().idle
    const busyMs = now - at - (idleNow - idle)
    if (busyMs >= LEAST_MS) blocks.push(busyMs)
    at = now
    idle = idleNow
    setImmediate(turn).unref()
  }
  setImmediate(turn).unref()
  process.on('message', (message) => {
    if (message === 'still') isStill = true
    if (message !== 'loop') return
    const now = performance.now()
    process.send({ loop: { ms: now - since, blocks } })
    blocks = []
    since = now
    if (!isStill) return
    isStill = false
    at = now
    idle = performance.eventLoopUtilization().idle
    setImmediate(turn).unref()
  })
}
