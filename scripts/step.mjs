const INTERVAL_MS = 5_000

/** Does a step of something long, and says so: at its start, while it lasts, and when it took a while. */
export async function step(what, work, say = console.log) {
  const from = Date.now()
  const elapsed = () => `${Math.round((Date.now() - from) / 1000)} s`
  say(`${what} …`)
  const telling = setInterval(() => say(`${what} … ${elapsed()}`), INTERVAL_MS)
  try {
    const result = await work()
    if (Date.now() - from >= INTERVAL_MS) say(`${what}: done after ${elapsed()}`)
    return result
  } finally {
    clearInterval(telling)
  }
}
