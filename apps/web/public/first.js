// Runs before the first paint: the theme chosen here, or the server's, or the system's.
;(function () {
  var chosen = null
  var followed = null
  try {
    chosen = localStorage.getItem('darkMode')
    followed = localStorage.getItem('followedTheme')
  } catch {
    // storage is forbidden: the system decides
  }
  var dark = matchMedia('(prefers-color-scheme: dark)').matches
  if (followed === 'dark' || followed === 'light') dark = followed === 'dark'
  if (chosen === 'true' || chosen === 'false') dark = chosen === 'true'
  document.documentElement.classList.toggle('dark', dark)
})()

// For a browser that holds a session the live connection opens before the program is read. The program takes it over
// (src/live/early-socket.ts) with everything that has come in until then.
;(function () {
  if (!/(?:^|;\s*)pulse_csrf=[^;]/.test(document.cookie)) return
  try {
    if (localStorage.getItem('just_logged_out') !== null) return
  } catch {
    // storage is forbidden: the mark cannot exist
  }
  var base = new URL(document.currentScript.src).pathname.replace(/\/first\.js$/, '')
  var scheme = location.protocol === 'https:' ? 'wss://' : 'ws://'
  var socket = new WebSocket(scheme + location.host + base + '/ws', 'pulse.delta.1')
  socket.binaryType = 'arraybuffer'
  var types = ['open', 'message', 'close', 'error']
  var events = []
  function keep(event) {
    events.push(event)
  }
  types.forEach(function (type) {
    socket.addEventListener(type, keep)
  })
  window.earlySocket = {
    socket: socket,
    take: function () {
      types.forEach(function (type) {
        socket.removeEventListener(type, keep)
      })
      return events
    },
  }
})()
