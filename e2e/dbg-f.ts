import { chromium } from 'playwright-core'
import { startEstate } from './estate.ts'
const estate = await startEstate(); await estate.connect()
const b = await chromium.launch({executablePath:'/usr/bin/chromium', args:['--no-sandbox','--disable-gpu']})
const p = await b.newPage({viewport:{width:1440,height:3200}})
await p.goto(estate.url)
await p.waitForSelector('[data-guest-row]')
const over = () => p.evaluate(() => [...document.querySelectorAll('[role=gridcell]')].filter(c => c.scrollWidth > c.clientWidth + 0).map(c => [c.textContent, c.scrollWidth, c.clientWidth]).slice(0, 12))
console.log('overflow', JSON.stringify(await over()))
await estate.lab.control.patchNode('pve1', { online: false })
await p.getByText('Offline').first().waitFor({timeout: 15000})
console.log(await p.locator('[data-guest-row="100"]').innerText())
console.log(await p.locator('[data-guest-row="105"]').innerText())
const t0 = Date.now()
await p.waitForTimeout(4000)
await estate.lab.control.patchNode('pve1', { online: true })
let last = ''
while (Date.now() - t0 < 75000) {
  const stale = await p.getByText(/^Stale/).count(); const cpu = await p.locator('[data-guest-row="101"]').innerText()
  const off = await p.getByText('Offline').count()
  const line = `stale=${stale} offline=${off}`
  if (line !== last) console.log(((Date.now()-t0)/1000).toFixed(1), last = line)
  await p.waitForTimeout(200)
}
console.log('overflow', JSON.stringify(await over()))
await b.close(); await estate.close()
