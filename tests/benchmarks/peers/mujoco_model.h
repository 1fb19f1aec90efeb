#pragma once

#include <mujoco/mujoco.h>

#include <stdexcept>
#include <string>

namespace peers {

/// MuJoCo's model and state, from a description in XML.
class MujocoModel {
 public:
  explicit MujocoModel(const std::string& xml) {
    mjcb_passive = nullptr;  // mj_compile tries a step
    char error[1000] = "";
    mjSpec* const spec = mj_parseXMLString(xml.c_str(), nullptr, error, sizeof error);
    if (!spec) throw std::runtime_error(error);
    model_ = mj_compile(spec, nullptr);
    mj_deleteSpec(spec);
    if (!model_) throw std::runtime_error("MuJoCo cannot compile the model");
    data_ = mj_makeData(model_);
  }
  MujocoModel(const MujocoModel&) = delete;
  MujocoModel& operator=(const MujocoModel&) = delete;
  ~MujocoModel() {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }

 protected:
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

}  // namespace peers
