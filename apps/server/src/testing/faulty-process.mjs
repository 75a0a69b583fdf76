// Loaded before the product in processes of tests. Its wall clock can be stepped by a message, and its calls to hosts of
// the lab come from an address of their own, so that the lab knows which process asks.
import net from 'node:net'
import { isMainThread } from 'node:worker_threads'

let stepMs = 0
globalThis.Date = new Proxy(Date, {
  construct: (real, args, target) =>
    Reflect.construct(real, args.length > 0 ? args : [real.now() + stepMs], target),
  get: (real, name) => (name === 'now' ? () => real.now() + stepMs : Reflect.get(real, name)),
})

if (isMainThread && process.channel) {
  process.on('message', (message) => {
    if (message?.wallStepMs !== undefined) stepMs = message.wallStepMs
  })
  process.channel.unref()
}

const localAddress = process.env.PULSE_TEST_LOCAL_ADDRESS
const { connect } = net.Socket.prototype
net.Socket.prototype.connect = function (...args) {
  const options = Array.isArray(args[0]) ? args[0][0] : args[0]
  const host = String(options?.host ?? '')
  if (localAddress && host.startsWith('127.') && host !== '127.0.0.1') options.localAddress ??= localAddress
  return connect.apply(this, args)
}
