import MotionFiles
import MotionModel
import Testing

@testable import motionctl

@Suite struct FieldTextTests {
  @Test(arguments: [
    ("to=1", "1"), ("to=-0.5e3", "-500"), ("to=.5", "0.5"), ("destination=100,50", "[100,50]"),
    ("destination=[100, 50]", "[100,50]"), ("duration=300ms", "\"300ms\""), ("carry=true", "true"),
    ("easing=cubic-bezier(0.4,0,0.2,1)", "\"cubic-bezier(0.4,0,0.2,1)\""), ("name=a=b", "\"a=b\""), ("text=", "\"\""),
    ("text=\"1\"", "\"1\""), ("to=inf", "\"inf\""), ("values=[[0,0],[1,2]]", "[[0,0],[1,2]]"),
    ("to=1,nan", "[1,\"nan\"]"), ("values=[.5, 1]", "[0.5,1]"), ("easing=[ease, linear]", "[\"ease\",\"linear\"]"),
    ("easing=[steps(2, end),linear(0, 1)]", "[\"steps(2, end)\",\"linear(0, 1)\"]"), ("easing=[]", "[]"),
    ("values=#ff8000,#000", "[\"#ff8000\",\"#000\"]"), ("name=#a", "\"#a\""),
    ("name=[", "\"[\""), ("name=[a", "\"[a\""), ("name=a,b", "\"a,b\""),
    ("to={\"target\":\"a\",\"property\":\"b\"}", "{\"target\":\"a\",\"property\":\"b\"}"),
  ])
  func `arguments are parsed to fields`(text: String, json: String) {
    #expect(FieldText.argument(parsing: text)?.json.line == json)
  }

  @Test(arguments: ["duration", "=1", ""])
  func `an argument without a name is refused`(text: String) {
    #expect(FieldText.argument(parsing: text) == nil)
  }

  @Test func `fields are written as they are typed`() {
    let intention = Intention(
      "Tween",
      [
        .init("property", .property("position")), .init("values", .list([.vector([1, 2]), .vector([3, 4])])),
        .init("duration", .duration(.milliseconds(1500))), .init("carry", .flag(false)),
        .init("like", .reference(PropertyReference("a", "b"))),
      ])
    #expect(
      FieldText.arguments(of: intention)
        == "property=position values=[[1, 2], [3, 4]] duration=1.5s carry=false like=a/b")
  }
}
