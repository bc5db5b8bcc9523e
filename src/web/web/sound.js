// Sounds of a disc, the end of a game and a mistake. Off by default, and loaded with the first sound.
const TONES = {disc: [[1800, .03]], end: [[523, .12], [784, .22]], mistake: [[196, .16]]};
let context = null;

// Plays the tones of a sound one after the other: frequency in hertz and length in seconds of each.
export function play(name) {
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [frequency, length] of TONES[name]) {
    const tone = new OscillatorNode(context, {type: "triangle", frequency}), volume = new GainNode(context, {gain: .12});
    volume.gain.exponentialRampToValueAtTime(.001, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
    at += length;
  }
}
