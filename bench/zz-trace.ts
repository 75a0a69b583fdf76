// temporary
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { chromiumFlags } from '../scripts/chromium-flags.ts'
import { account, pause, startEstate } from './estate.ts'
import { clustersOf } from './scenarios.ts'

const guests = Number(process.argv[2] ?? 75)
const product = process.argv[3]
const seconds = Number(process.argv[4] ?? 30)
const estate = product ? await startEstate(clustersOf(guests), product) : await startEstate(clustersOf(guests))
try {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-trace-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: '/usr/bin/chromium', viewport: { width: 1440, height: 900 }, args: chromiumFlags,
  })
  const origin = new URL(estate.url).origin
  const login = await context.request.post(`${origin}/api/login`, { data: account, headers: { origin } })
  if (!login.ok()) throw new Error(await login.text())
  await pause(Number(process.env.WARM ?? 40_000))
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  if (process.env.START) await session.send('Tracing.start', { categories: 'toplevel,devtools.timeline,disabled-by-default-devtools.timeline,blink.user_timing,loading,v8,disabled-by-default-v8.compile', transferMode: 'ReportEvents' })
  const events: any[] = []
  session.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as any[])))
  const ws: any[] = []
  await session.send('Network.enable')
  session.on('Network.webSocketFrameReceived', (e: any) => ws.push({ t: e.timestamp, op: e.response.opcode, n: e.response.payloadData.length, data: e.response.payloadData }))
  await page.addInitScript(() => {
    const g = globalThis as any
    g.notes = []
    const first = new MutationObserver(() => {
      if (document.querySelector('[data-row^="guest:"]')) { performance.mark('first-row'); g.firstRow = performance.now(); first.disconnect() }
    })
    first.observe(document, { childList: true, subtree: true })
  })
  const runs = Number(process.env.START ?? 1)
  for (let n = 0; n < runs; n++) {
    await page.goto(estate.url)
    await page.waitForSelector('[data-row^="guest:"]', { timeout: 30_000 })
    const res = await page.evaluate(() => ({ first: (globalThis as any).firstRow, nav: performance.getEntriesByType('navigation').map((e: any) => [e.responseStart, e.responseEnd, e.domInteractive, e.domContentLoadedEventEnd]), res: performance.getEntriesByType('resource').map((e: any) => `${e.name.replace(/.*\/\/[^/]*/, '')} ${e.startTime.toFixed(0)}-${e.responseStart.toFixed(0)}-${e.responseEnd.toFixed(0)}`), paint: performance.getEntriesByType('paint').map((e) => `${e.name} ${e.startTime.toFixed(0)}`) }))
    console.log('first row', res.first?.toFixed(0), JSON.stringify(res.nav), res.paint.join(', '))
    if (n === 0) console.log(res.res.join('\n'))
    if (process.env.START) await pause(1500)
  }
  if (!process.env.START) {
    await pause(5000)
    await page.evaluate(() => {
      const g = globalThis as any
      performance.mark('origin')
      g.t0 = performance.now()
      const name = (n: any) => { const e = n instanceof Element ? n : n.parentElement; const r = e?.closest('[data-row]')?.getAttribute('data-row'); return r ? 'row ' + r.slice(0, 6) : (e?.closest('footer') ? 'footer' : e?.closest('header') ? 'header' : e?.className?.toString().slice(0, 40) ?? String(n)) }
      new MutationObserver((list) => {
        const by: any = {}
        for (const m of list) { const k = `${name(m.target)} ${m.type[0]}${m.attributeName ?? ''}`; by[k] = (by[k] ?? 0) + 1 }
        g.notes.push({ t: performance.now() - g.t0, n: list.length, by })
      }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
    })
    await session.send('Tracing.start', { categories: 'toplevel,devtools.timeline,disabled-by-default-devtools.timeline,disabled-by-default-devtools.timeline.invalidationTracking,blink.user_timing,cc,blink.animations,animations', transferMode: 'ReportEvents' })
    await page.evaluate(() => { performance.mark('t0'); (globalThis as any).t0b = performance.now() - (globalThis as any).t0 })
    ws.length = 0
    await pause(seconds * 1000)
  }
  const done = new Promise<void>((r) => session.once('Tracing.tracingComplete', () => r()))
  await session.send('Tracing.end'); await done
  const notes = await page.evaluate(() => ({ notes: (globalThis as any).notes, t0b: (globalThis as any).t0b }))
  fs.writeFileSync(process.env.OUT ?? '/tmp/swift/trace.json', JSON.stringify({ traceEvents: events, notes, ws }))
  await context.close()
  fs.rmSync(profile, { recursive: true, force: true })
} finally { await estate.stop() }
