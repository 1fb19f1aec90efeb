// Draws scenes in space with three.js. The frame of the data: x forward, y left, z up.
import {
  AmbientLight,
  CapsuleGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DirectionalLight,
  DoubleSide,
  ExtrudeGeometry,
  GridHelper,
  Group,
  Material,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PerspectiveCamera,
  PlaneGeometry,
  Quaternion,
  Scene,
  Shape,
  SphereGeometry,
  Spherical,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { contactRamp, linkRamp } from "./colours";
import { h } from "./dom";
import type { Drawing, Stage } from "./drawing2d";
import type { BodyData, ShapeData, Vector } from "./payload";
import type { ViewName } from "./projection";
import type { Run } from "./run";
import { frameAt, shareOf, type Frame, type Pose } from "./scene";
import { colour } from "./theme";

/** From the middle to the eye. */
const EYES: Record<ViewName, Vector> = { side: [0, -1, 0.0001], front: [1, 0, 0.0001], top: [0, -0.0001, 1] };
const START: Vector = [0.75, -1, 0.35];
const UP = new Vector3(0, 0, 1);
const TURN = Math.PI / 24;
const KEYS: Record<string, [number, number, number]> = {
  // turn about z, turn up, zoom
  ArrowLeft: [-TURN, 0, 1],
  ArrowRight: [TURN, 0, 1],
  ArrowUp: [0, -TURN, 1],
  ArrowDown: [0, TURN, 1],
  "+": [0, 0, 1 / 1.15],
  "=": [0, 0, 1 / 1.15],
  "-": [0, 0, 1.15],
};

export function hasWebGL(): boolean {
  return document.createElement("canvas").getContext("webgl2") !== null;
}

export class Drawing3D implements Drawing {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", {
    class: "drawing",
    tabindex: 0,
    role: "application",
    "aria-label": "Animation of the body in space. Arrow keys turn, plus and minus zoom.",
  });
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(30, 1);
  private readonly renderer: WebGLRenderer;
  private readonly controls: OrbitControls;
  private readonly middle: Vector3;
  private readonly radius: number;
  private readonly figures: Figure[];
  private readonly ghostFigure: Figure;
  private readonly corners: Vector3[];
  private time = 0;
  /** From where the drawing looks, until the reader turns it. */
  private view: Vector | null = START;

  constructor(private readonly stage: Stage) {
    const { runs, box } = stage;
    const [low, high] = [new Vector3(...box.low), new Vector3(...box.high)];
    this.corners = Array.from({ length: 8 }, (_, k) => new Vector3(...[0, 1, 2].map((axis) => (k >> axis) & 1 ? box.high[axis] : box.low[axis])));
    this.middle = low.clone().add(high).multiplyScalar(0.5);
    this.radius = Math.max(low.distanceTo(high) / 2, 0.01);
    this.camera.near = 0.02 * this.radius;
    this.camera.far = 100 * this.radius;
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.scene.add(new AmbientLight(0xffffff, 1.6));
    const lamp = new DirectionalLight(0xffffff, 1.8);
    lamp.position.set(0.4, 0.6, 1);
    this.camera.add(lamp);
    this.camera.up.copy(UP);
    this.scene.add(this.camera);

    this.figures = runs.map((run, index) => new Figure(run, stage.largest, this.radius, this.middle, index === 0 ? 1 : 0.45));
    this.ghostFigure = new Figure(runs[0], stage.largest, this.radius, this.middle, 0.13, true);
    this.scene.add(this.ghostFigure.group, ...this.figures.map((figure) => figure.group));

    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.target.copy(this.middle);
    this.controls.enablePan = false;
    // the wheel and the finger scroll the page, until the drawing has the focus
    this.controls.enableZoom = false;
    this.canvas.style.touchAction = "pan-y";
    this.canvas.addEventListener("focus", () => (this.controls.enableZoom = true));
    this.canvas.addEventListener("blur", () => (this.controls.enableZoom = false));
    this.canvas.addEventListener("pointerdown", () => this.canvas.focus({ preventScroll: true }));
    this.canvas.addEventListener("keydown", (event) => this.press(event));
    this.controls.addEventListener("start", () => (this.view = null));
    this.controls.addEventListener("change", () => this.render());

    this.element = h("div", { class: "space" }, this.canvas);
    new ResizeObserver(() => this.resize()).observe(this.element);
    this.ghostFigure.show(frameAt(runs[0], runs[0].begin));
    this.recolour();
  }

  show(time: number) {
    this.time = time;
    this.stage.runs.forEach((run, index) => this.figures[index].show(frameAt(run, time)));
    this.render();
  }

  look(view: ViewName) {
    this.view = EYES[view];
    this.stand();
  }

  ghost(visible: boolean) {
    this.ghostFigure.group.visible = visible;
    this.render();
  }

  recolour() {
    const colours = ["solid", "second"].map(colour);
    [...this.figures, this.ghostFigure].forEach((figure, index) => figure.recolour(colours[index === 1 && this.stage.runs.length > 1 ? 1 : 0]));
    this.show(this.time);
  }

  /** So near that all that the bodies ever reach is just seen. */
  private stand() {
    if (!this.view) return this.render();
    const towards = new Vector3(...this.view).normalize();
    const right = UP.clone().cross(towards).normalize();
    const up = towards.clone().cross(right);
    const half = Math.tan((this.camera.fov * Math.PI) / 360) / 1.1;
    const distances = this.corners.map((corner) => {
      const offset = corner.clone().sub(this.middle);
      const [x, y] = [Math.abs(offset.dot(right)), Math.abs(offset.dot(up))];
      return offset.dot(towards) + Math.max(x / (half * this.camera.aspect), y / half);
    });
    this.camera.position.copy(this.middle).addScaledVector(towards, Math.max(...distances));
    this.controls.update();
    this.render();
  }

  private press(event: KeyboardEvent) {
    const change = KEYS[event.key];
    if (!change || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.view = null;
    // three's spherical coordinates count from y up
    const offset = this.camera.position.clone().sub(this.middle);
    const place = new Spherical().setFromVector3(new Vector3(offset.x, offset.z, -offset.y));
    place.theta += change[0];
    place.phi += change[1];
    place.radius *= change[2];
    place.makeSafe();
    const turned = new Vector3().setFromSpherical(place);
    this.camera.position.copy(this.middle).add(new Vector3(turned.x, -turned.z, turned.y));
    this.controls.update();
    this.render();
  }

  private resize() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.stand();
  }

  private render() {
    this.renderer.render(this.scene, this.camera);
  }
}

class Figure {
  readonly group = new Group();
  private readonly bodies: Group[];
  private readonly links: Mesh<CylinderGeometry, MeshLambertMaterial>[];
  private readonly marks: { ball: Mesh<SphereGeometry, MeshBasicMaterial>; arrow: Arrow }[];
  private readonly planes: { ground: Group; arrow: Arrow }[];
  private readonly bodyMaterial: MeshLambertMaterial;
  private ramps = { links: linkRamp(), contacts: contactRamp() };
  private slack = "";

  constructor(
    run: Run,
    private readonly largest: Stage["largest"],
    private readonly radius: number,
    private readonly middle: Vector3,
    opacity: number,
    bodiesOnly = false,
  ) {
    const scene = run.data.scene!;
    const transparent = opacity < 1;
    this.bodyMaterial = new MeshLambertMaterial({ transparent, opacity, depthWrite: !transparent });
    this.bodies = scene.bodies.map((body) => bodyGroup(body, this.bodyMaterial));
    const rod = new CylinderGeometry(1, 1, 1, 12);
    this.links = (bodiesOnly ? [] : (scene.links ?? [])).map(
      () => new Mesh(rod, new MeshLambertMaterial({ transparent, opacity: Math.min(1, 1.6 * opacity) })),
    );
    const ball = new SphereGeometry(1, 20, 14);
    this.marks = (bodiesOnly ? [] : (scene.marks ?? [])).map(() => ({
      ball: new Mesh(ball, new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: Math.min(0.85, opacity) })),
      arrow: new Arrow(radius),
    }));
    this.planes = (bodiesOnly ? [] : (scene.planes ?? [])).map(() => ({
      ground: ground(radius),
      arrow: new Arrow(radius),
    }));
    this.group.add(
      ...this.planes.map((plane) => plane.ground),
      ...this.bodies,
      ...this.links,
      ...this.marks.map((mark) => mark.ball),
      ...[...this.marks, ...this.planes].map((each) => each.arrow.group),
    );
  }

  recolour(body: string) {
    this.ramps = { links: linkRamp(), contacts: contactRamp() };
    this.bodyMaterial.color.set(body);
    this.slack = colour("slack");
    const line = new Color(colour("ground"));
    for (const { ground: group } of this.planes) {
      group.traverse((part) => {
        const material = (part as Mesh).material as (Material & { color?: Color }) | undefined;
        material?.color?.copy(line);
      });
    }
  }

  show(frame: Frame) {
    this.bodies.forEach((group, index) => stand(group, frame.bodies[index]));
    this.links.forEach((rod, index) => this.showLink(rod, frame.links[index]));
    this.marks.forEach((mark, index) => this.showMark(mark, frame.marks[index]));
    this.planes.forEach((plane, index) => this.showPlane(plane, frame.planes[index]));
  }

  private showLink(rod: Mesh<CylinderGeometry, MeshLambertMaterial>, link: Frame["links"][number]) {
    rod.visible = link !== null;
    if (!link) return;
    const [from, to] = [new Vector3(...link.from), new Vector3(...link.to)];
    const share = shareOf(link.force, this.largest.links);
    along(rod, from, to, this.radius * (0.003 + 0.006 * share));
    rod.material.color.set(share > 0 ? this.ramps.links(share) : this.slack);
  }

  private showMark({ ball, arrow }: { ball: Mesh<SphereGeometry, MeshBasicMaterial>; arrow: Arrow }, mark: Frame["marks"][number]) {
    const share = mark ? shareOf(mark.force, this.largest.contacts) : 0;
    const visible = mark !== null && share > 0.002;
    ball.visible = visible && !mark.vector;
    if (visible && !mark.vector) {
      ball.position.set(...mark.at);
      ball.scale.setScalar(0.045 * this.radius * Math.sqrt(share));
      ball.material.color.set(this.ramps.contacts(share));
    }
    arrow.show(visible ? mark.at : null, visible ? mark.vector : null, this.largest.contacts, this.ramps.contacts(share));
  }

  private showPlane({ ground: group, arrow }: { ground: Group; arrow: Arrow }, plane: Frame["planes"][number]) {
    group.visible = plane !== null;
    if (plane) {
      const normal = new Vector3(...plane.normal);
      const point = new Vector3(...plane.point);
      // the foot of the scene's middle, so that the drawn part lies below what moves
      const away = this.middle.clone().sub(point).dot(normal);
      group.position.copy(this.middle).addScaledVector(normal, -away);
      group.quaternion.setFromUnitVectors(UP, normal);
    }
    const share = plane ? plane.force / this.largest.contacts : 0;
    arrow.show(plane?.foot ?? null, plane?.vector ?? null, this.largest.contacts, this.ramps.contacts(share));
  }
}

/** A force as an arrow that is seen through bodies. */
class Arrow {
  readonly group = new Group();
  private readonly material = new MeshBasicMaterial({ depthTest: false, transparent: true });
  private readonly shaft = new Mesh(new CylinderGeometry(1, 1, 1, 10), this.material);
  private readonly head = new Mesh(new ConeGeometry(1, 1, 14), this.material);

  constructor(private readonly radius: number) {
    this.group.add(this.shaft, this.head);
    this.group.renderOrder = 1;
  }

  show(at: Vector | null, force: Vector | null, largest: number, paint: string) {
    this.group.visible = at !== null && force !== null && Math.hypot(...force) > 0.002 * largest;
    if (!at || !force || !this.group.visible) return;
    const from = new Vector3(...at);
    const arrow = new Vector3(...force).multiplyScalar((0.7 * this.radius) / largest);
    const tip = from.clone().add(arrow);
    const headLength = Math.min(0.08 * this.radius, 0.5 * arrow.length());
    const neck = tip.clone().addScaledVector(arrow.clone().normalize(), -headLength);
    along(this.shaft, from, neck, 0.008 * this.radius);
    along(this.head, neck, tip, 0.35 * headLength);
    this.material.color.set(paint);
  }
}

function bodyGroup(body: BodyData, material: Material): Group {
  const group = new Group();
  for (const shape of body.shapes) {
    const mesh = shapeMesh(shape, material);
    if (mesh) group.add(mesh);
  }
  return group;
}

function shapeMesh(shape: ShapeData, material: Material): Mesh | null {
  switch (shape.kind) {
    case "ellipsoid": {
      const mesh = new Mesh(new SphereGeometry(1, 32, 20), material);
      mesh.scale.set(...shape.semi_axes);
      mesh.position.set(...shape.centre);
      return mesh;
    }
    case "capsule": {
      const [from, to] = [new Vector3(...shape.from), new Vector3(...shape.to)];
      const mesh = new Mesh(new CapsuleGeometry(shape.radius, from.distanceTo(to), 8, 20), material);
      mesh.position.copy(from).add(to).multiplyScalar(0.5);
      mesh.quaternion.copy(turnTo(from, to));
      return mesh;
    }
    case "prism": {
      const length = shape.to - shape.from;
      const rim = 0.12 * length; // round edges inside of the outline
      const geometry = new ExtrudeGeometry(new Shape(shape.points.map(([a, b]) => new Vector2(a, b))), {
        depth: length - 2 * rim,
        bevelThickness: rim,
        bevelSize: rim,
        bevelOffset: -rim,
        bevelSegments: 3,
      });
      const mesh = new Mesh(geometry, material);
      if (shape.axis === "z") {
        mesh.position.z = shape.from + rim;
      } else {
        // drawn in x and z, so it extends towards -y
        mesh.rotation.x = Math.PI / 2;
        mesh.position.y = shape.to - rim;
      }
      return mesh;
    }
    case "polygon":
      return null; // planar scenes only
  }
}

/** A sheet with lines every tenth of it. */
function ground(radius: number): Group {
  const size = 2.6 * radius;
  const sheet = new Mesh(
    new PlaneGeometry(size, size),
    new MeshBasicMaterial({ side: DoubleSide, transparent: true, opacity: 0.18, depthWrite: false }),
  );
  const lines = new GridHelper(size, 12, 0xffffff, 0xffffff);
  lines.material.vertexColors = false;
  lines.material.transparent = true;
  lines.material.opacity = 0.55;
  lines.rotation.x = Math.PI / 2;
  const group = new Group();
  group.add(sheet, lines);
  return group;
}

function stand(group: Group, pose: Pose | null) {
  group.visible = pose !== null;
  if (!pose) return;
  const [w, x, y, z] = pose.rotation;
  group.position.set(...pose.position);
  group.quaternion.set(x, y, z, w);
}

/** Stretches a unit cylinder or cone, which stands along y, between two points. */
function along(mesh: Mesh, from: Vector3, to: Vector3, radius: number) {
  mesh.position.copy(from).add(to).multiplyScalar(0.5);
  mesh.scale.set(radius, Math.max(from.distanceTo(to), 1e-6), radius);
  mesh.quaternion.copy(turnTo(from, to));
}

function turnTo(from: Vector3, to: Vector3): Quaternion {
  const direction = to.clone().sub(from);
  if (direction.lengthSq() === 0) return new Quaternion();
  return new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), direction.normalize());
}
