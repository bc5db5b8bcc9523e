// Soft clicks of discs, made by Web Audio. Off at first.
import {$} from "./controls.js";
import {settings, keepSettings} from "./state.js";

let audio = null;

// A short tone with noise, which fades in a twentieth of a second.
export function click() {
  if (!settings.sound) return;
  audio ??= new AudioContext();
  const length = Math.floor(.05 * audio.sampleRate), buffer = audio.createBuffer(1, length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < length; at++) {
    const time = at / audio.sampleRate;
    samples[at] = (Math.sin(2 * Math.PI * 620 * time) * .7 + (Math.random() * 2 - 1) * .3) * Math.exp(-time * 90) * .35;
  }
  const source = audio.createBufferSource();
  source.buffer = buffer;
  source.connect(audio.destination);
  source.start();
}

export function toggleSound() {
  settings.sound = !settings.sound;
  keepSettings();
  showSound();
  click();
}
export const showSound = () => $("sound").setAttribute("aria-pressed", settings.sound);
