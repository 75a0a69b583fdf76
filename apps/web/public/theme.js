// Runs before the first paint: the stored theme, or the system's while none is stored.
;(function () {
  var stored = null
  try {
    stored = localStorage.getItem('darkMode')
  } catch {
    // storage is forbidden: the system decides
  }
  var dark = stored === 'true' || (stored !== 'false' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', dark)
})()
